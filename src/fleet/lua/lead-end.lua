-- Ends a leadership and publishes its result to the followers.
-- KEYS: [1] as in lead-claim.lua, also the name of the channel
-- ARGV: [1] token of the leader, [2] message, [3] ms to keep "ended"
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], 'ended', 'PX', ARGV[3]) end
redis.call('PUBLISH', KEYS[1], ARGV[2])
