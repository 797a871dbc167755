-- Releases a lease, or leaves the queue for it.
redis.call('ZREM', queue, claimant)
redis.call('ZREM', seen, claimant)
