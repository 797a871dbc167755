-- Renews a leadership.
-- KEYS: [1] as in lead-claim.lua
-- ARGV: [1] token of the leader, [2] ms until the leadership expires
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
