-- Restores purges of answers in a Redis that lost its data: recorded as of now, because other gateways do not read earlier ones again.
-- KEYS: [1] as in purge-answer.lua
-- ARGV: [1] ms to keep the records, [2] time of the latest purge that the caller has seen, [3...] cache keys
-- @include next-purge
at = math.max(at, tonumber(ARGV[2]))
for i = 3, #ARGV do at = at + redis.call('ZADD', KEYS[1], 'NX', at, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
