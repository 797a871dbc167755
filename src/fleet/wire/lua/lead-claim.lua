-- Claims the leadership of a lookup.
-- KEYS: [1] the token of the leader, or "ended" for a while after a leadership ended
-- ARGV: [1] token of the caller, [2] ms until the leadership expires
-- Returns 1: claimed; 2: claimed, and another leadership ended recently; 0: another gateway leads.
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= 'ended' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return leader and 2 or 1
