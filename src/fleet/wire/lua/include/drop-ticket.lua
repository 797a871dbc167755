-- Removes a ticket from the queue of a lane.
local function drop(gone)
  redis.call('ZREM', queue, gone)
  redis.call('ZREM', calls, gone)
  if redis.call('ZCARD', queue) == 0 then redis.call('DEL', tags) end
end
