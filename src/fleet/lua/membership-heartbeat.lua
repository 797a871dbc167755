-- Records a heartbeat of a process and lists all members. If Redis' clock was set back, the silence of all members is measured from now.
-- KEYS: [1] members (sorted set: entry by time of its last heartbeat)
-- ARGV: [1] the caller's entry ('' for an observer), [2] ms without a heartbeat after which a member is removed, [3] the caller's previous entry, to remove ('': none)
-- Returns the time, then entry, score, entry, score, ...
-- @include now
if ARGV[3] ~= '' then redis.call('ZREM', KEYS[1], ARGV[3]) end
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%.3f', now), '+inf')) do redis.call('ZADD', KEYS[1], now, entry) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
table.insert(all, 1, string.format('%.3f', now))
return all
