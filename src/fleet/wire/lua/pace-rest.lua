-- Forbids requests of a lane for a time; a longer rest stays in force.
-- KEYS: [1] lane, as in pace-take.lua
-- ARGV: [1] ms
-- @include now
local state = redis.call('HMGET', KEYS[1], 'rest', 'at')
local rest = math.max(now + tonumber(ARGV[1]), (tonumber(state[1]) or 0) - math.max(0, (tonumber(state[2]) or 0) - now))
redis.call('HSET', KEYS[1], 'rest', string.format('%.3f', rest), 'at', string.format('%.3f', now))
local ttl = math.ceil(rest - now) + 1000
if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
