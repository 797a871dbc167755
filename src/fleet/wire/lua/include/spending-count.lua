-- The spending at a source on the current UTC day. `turn` grows with every write, so that the newer of two counts is known.
-- KEYS: [1] count (hash: day, turn, requests, nano = nano-dollars counted, spent = nano-dollars that the source stated)
-- ARGV: [1] day, [2] turn, [3] requests, [4] nano-dollars: the count known to the caller, restored in a Redis that lost its data
-- @include now
local DAY_MS = 86400000
local day = math.floor(now / DAY_MS)
local stored = redis.call('HMGET', KEYS[1], 'day', 'turn', 'requests', 'nano', 'spent')
local turn, requests, nano, spent = 0, 0, 0, 0
if tonumber(stored[1]) == day then
  turn, requests, nano, spent = tonumber(stored[2]), tonumber(stored[3]), tonumber(stored[4]), tonumber(stored[5]) or 0
end
if tonumber(ARGV[1]) == day and tonumber(ARGV[2]) > turn then
  turn, requests, nano = tonumber(ARGV[2]), math.max(requests, tonumber(ARGV[3])), math.max(nano, tonumber(ARGV[4]))
end
local function save()
  turn = turn + 1
  redis.call('HSET', KEYS[1], 'day', day, 'turn', turn, 'requests', string.format('%.0f', requests), 'nano', string.format('%.0f', nano),
    'spent', string.format('%.0f', spent))
  redis.call('PEXPIRE', KEYS[1], 2 * DAY_MS)
end
