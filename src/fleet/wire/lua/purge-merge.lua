-- Merges the epochs that the caller knows into those of Redis, which may have lost its data.
-- Returns all.
for _, row in ipairs(rows) do
  if (tonumber(redis.call('HGET', epochs, row.operation)) or 0) < row.epoch then
    redis.call('HSET', epochs, row.operation, string.format('%.0f', row.epoch))
  end
end
return redis.call('HGETALL', epochs)
