-- Deletes an entry of the shared cache.
local function drop(entry)
  local size = tonumber(redis.call('HGET', sizes, entry))
  if not size then return end
  redis.call('DEL', prefix .. entry)
  redis.call('ZREM', order, entry)
  redis.call('HDEL', sizes, entry)
  redis.call('HINCRBY', sizes, 'total', -size)
end
