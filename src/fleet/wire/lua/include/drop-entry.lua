-- Deletes an entry of the shared cache. KEYS: [1] order, [2] sizes, [3] prefix, as in cache-put.lua
local function drop(member)
  local size = tonumber(redis.call('HGET', KEYS[2], member))
  if not size then return end
  redis.call('DEL', KEYS[3] .. member)
  redis.call('ZREM', KEYS[1], member)
  redis.call('HDEL', KEYS[2], member)
  redis.call('HINCRBY', KEYS[2], 'total', -size)
end
