-- Records and publishes the purge of an operation. Its time is always later than that of the purge before.
-- KEYS: [1] purges of operations (hash: operation to time, ms)
-- ARGV: [1] operation, [2] channel, [3] version of the message
-- Returns how many gateways received it.
-- @include now
local at = math.max(math.floor(now), (tonumber(redis.call('HGET', KEYS[1], ARGV[1])) or 0) + 1)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', at))
return redis.call('PUBLISH', ARGV[2], cjson.encode({v = tonumber(ARGV[3]), operation = ARGV[1], at = at}))
