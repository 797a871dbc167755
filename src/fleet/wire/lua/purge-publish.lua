-- Begins an epoch of an operation and publishes it. An epoch is the time, and always later than the one before. `cacheKey`: the only answer that is
-- purged ('': all of the operation). The message is that of `decodePurge` in messages.ts.
-- Returns how many gateways received the message.
-- @include now
local before = tonumber(redis.call('HGET', epochs, operation)) or 0
local epoch = math.max(math.floor(now), before + 1)
redis.call('HSET', epochs, operation, string.format('%.0f', epoch))
return redis.call('PUBLISH', channel, string.format('%d %.0f %.0f %s\n%s', version, before, epoch, operation, cacheKey))
