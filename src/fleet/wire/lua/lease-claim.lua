-- Claims a lease, or keeps the claimant's position in its queue. The first in the queue holds the lease. Silent claimants are removed.
-- If Redis' clock was set back, newcomers still queue behind the others, and the silence of all claimants is measured from now.
-- KEYS: [1] queue (sorted set: claimant by arrival), [2] seen (sorted set: claimant by its last call)
-- ARGV: [1] claimant, [2] ms of silence after which a claimant is removed
-- Returns 1 to the holder, else 0.
-- @include now
local function newest(key) return tonumber(redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]) or 0 end
if newest(KEYS[2]) > now then
  for _, claimant in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('ZADD', KEYS[2], now, claimant) end
end
for _, claimant in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])) do
  redis.call('ZREM', KEYS[1], claimant)
  redis.call('ZREM', KEYS[2], claimant)
end
redis.call('ZADD', KEYS[1], 'NX', math.max(now, newest(KEYS[1]) + 1), ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], 60000)
redis.call('PEXPIRE', KEYS[2], 60000)
return redis.call('ZRANGE', KEYS[1], 0, 0)[1] == ARGV[1] and 1 or 0
