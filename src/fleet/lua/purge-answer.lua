-- Records and publishes the purge of one answer.
-- KEYS: [1] purges of answers (sorted set: cache key by time, ms)
-- ARGV: [1] cache key, [2] channel, [3] ms to keep the record, [4] version of the message
-- Returns how many gateways received it.
-- @include next-purge
redis.call('ZADD', KEYS[1], at, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('PUBLISH', ARGV[2], cjson.encode({v = tonumber(ARGV[4]), cacheKey = ARGV[1], at = at}))
