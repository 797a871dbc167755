-- Begins an epoch of an operation and publishes it. An epoch is the time, and always later than the one before.
-- KEYS: [1] epochs (hash: operation to epoch, ms)
-- ARGV: [1] operation, [2] channel, [3] version of the message, [4] cache key of the only answer that is purged ('': all)
-- Returns how many gateways received the message.
-- @include now
local before = tonumber(redis.call('HGET', KEYS[1], ARGV[1])) or 0
local epoch = math.max(math.floor(now), before + 1)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', epoch))
local message = {v = tonumber(ARGV[3]), operation = ARGV[1], cacheKey = ARGV[4], before = before, epoch = epoch}
return redis.call('PUBLISH', ARGV[2], cjson.encode(message))
