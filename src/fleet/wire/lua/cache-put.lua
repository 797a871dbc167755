-- Stores an answer in the shared cache. When the budget is used up, the entries that expire first are deleted. Then ends the leadership of
-- its lookup, if the caller has it.
-- KEYS: [1] order (sorted set: member by expiry), [2] sizes (hash: member to bytes, and total), [3] prefix of the entries,
--       [4] leader, as in lead-claim.lua (left out: no leadership)
-- ARGV: [1] member, [2] encoded answer, [3] ms to keep it, [4] budget in bytes, [5] to [7] as [1] to [3] of lead-end.lua
-- Returns 1, or 0 for an answer that is too large.
-- @include now
-- @include drop-entry
-- @include end-lead
local function put()
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do drop(member) end
  drop(ARGV[1])
  local size, budget = #ARGV[2] + 500, tonumber(ARGV[4])
  if size > budget / 4 then return 0 end
  while (tonumber(redis.call('HGET', KEYS[2], 'total')) or 0) + size > budget do
    local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
    if not first then break end
    drop(first)
  end
  redis.call('SET', KEYS[3] .. ARGV[1], ARGV[2], 'PX', ARGV[3])
  redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[2], ARGV[1], size)
  redis.call('HINCRBY', KEYS[2], 'total', size)
  return 1
end
local stored = put()
if KEYS[4] then endLead(KEYS[4], ARGV[5], ARGV[6], ARGV[7]) end
return stored
