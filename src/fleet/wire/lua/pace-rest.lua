-- Forbids requests of a lane for a time; a longer rest stays in force.
-- @include now
local state = redis.call('HMGET', lane, 'rest', 'at')
local rest = math.max(now + restMs, (tonumber(state[1]) or 0) - math.max(0, (tonumber(state[2]) or 0) - now))
redis.call('HSET', lane, 'rest', string.format('%.3f', rest), 'at', string.format('%.3f', now))
local ttl = math.ceil(rest - now) + 1000
if redis.call('PTTL', lane) < ttl then redis.call('PEXPIRE', lane, ttl) end
