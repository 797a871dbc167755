-- KEYS: [1] lane, as in pace-take.lua
-- Returns for how many ms no request may be sent.
-- @include now
local state = redis.call('HMGET', KEYS[1], 'rest', 'at')
return tostring((tonumber(state[1]) or 0) - math.max(now, tonumber(state[2]) or 0))
