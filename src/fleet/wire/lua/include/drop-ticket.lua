-- Removes a ticket from the queue of a lane. KEYS: as in pace-take.lua
local function drop(ticket)
  redis.call('ZREM', KEYS[2], ticket)
  redis.call('ZREM', KEYS[3], ticket)
  if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[4]) end
end
