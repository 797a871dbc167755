-- Returns for how many ms no request of a lane may be sent.
-- @include now
local state = redis.call('HMGET', lane, 'rest', 'at')
return tostring((tonumber(state[1]) or 0) - math.max(now, tonumber(state[2]) or 0))
