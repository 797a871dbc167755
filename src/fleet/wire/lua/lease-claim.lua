-- Claims a lease, or keeps the claimant's position in its queue. The first in the queue holds the lease. Silent claimants are removed.
-- If Redis' clock was set back, newcomers still queue behind the others, and the silence of all claimants is measured from now.
-- Returns 1 to the holder, else 0.
-- @include now
local function newest(key) return tonumber(redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]) or 0 end
if newest(seen) > now then
  for _, other in ipairs(redis.call('ZRANGE', seen, 0, -1)) do redis.call('ZADD', seen, now, other) end
end
for _, silent in ipairs(redis.call('ZRANGEBYSCORE', seen, '-inf', now - silentMs)) do
  redis.call('ZREM', queue, silent)
  redis.call('ZREM', seen, silent)
end
redis.call('ZADD', queue, 'NX', math.max(now, newest(queue) + 1), claimant)
redis.call('ZADD', seen, now, claimant)
redis.call('PEXPIRE', queue, 60000)
redis.call('PEXPIRE', seen, 60000)
return redis.call('ZRANGE', queue, 0, 0)[1] == claimant and 1 or 0
