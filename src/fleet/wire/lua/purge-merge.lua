-- Merges the epochs that the caller knows into those of Redis, which may have lost its data.
-- KEYS: [1] as in purge-publish.lua
-- ARGV: operation, epoch, operation, epoch, ...
-- Returns all.
for i = 1, #ARGV, 2 do
  if (tonumber(redis.call('HGET', KEYS[1], ARGV[i])) or 0) < tonumber(ARGV[i + 1]) then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return redis.call('HGETALL', KEYS[1])
