-- The spending at a source on the current UTC day. `turn` grows with every write, so that the newer of two counts is known. What the caller knows is
-- restored in a Redis that lost its data.
-- Stored (hash): day, turn, requests, nano = nano-dollars counted, spent = nano-dollars that the source stated.
-- @include now
local DAY_MS = 86400000
local day = math.floor(now / DAY_MS)
local stored = redis.call('HMGET', count, 'day', 'turn', 'requests', 'nano', 'spent')
local turn, requests, nano, spent = 0, 0, 0, 0
if tonumber(stored[1]) == day then
  turn, requests, nano, spent = tonumber(stored[2]), tonumber(stored[3]), tonumber(stored[4]), tonumber(stored[5]) or 0
end
if knownDay == day and knownTurn > turn then
  turn, requests, nano = knownTurn, math.max(requests, knownRequests), math.max(nano, knownNano)
end
local function save()
  turn = turn + 1
  redis.call('HSET', count, 'day', day, 'turn', turn, 'requests', string.format('%.0f', requests), 'nano', string.format('%.0f', nano),
    'spent', string.format('%.0f', spent))
  redis.call('PEXPIRE', count, 2 * DAY_MS)
end
