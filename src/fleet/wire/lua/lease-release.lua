-- Releases a lease, or leaves the queue for it.
-- KEYS: [1] queue, [2] seen, as in lease-claim.lua
-- ARGV: [1] claimant
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
