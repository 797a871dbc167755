-- Stores an answer in the shared cache. When the budget is used up, the entries that expire first are deleted. Then ends the leadership of
-- its lookup, if the caller has it (`token` is '' where it has none).
-- Returns 1, or 0 for an answer that is too large.
-- @include now
-- @include drop-entry
-- @include end-lead
local function put()
  for _, expired in ipairs(redis.call('ZRANGEBYSCORE', order, '-inf', now, 'LIMIT', 0, 100)) do drop(expired) end
  drop(member)
  local size = #encoded + 500
  if size > budget / 4 then return 0 end
  while (tonumber(redis.call('HGET', sizes, 'total')) or 0) + size > budget do
    local first = redis.call('ZRANGE', order, 0, 0)[1]
    if not first then break end
    drop(first)
  end
  redis.call('SET', prefix .. member, encoded, 'PX', keepMs)
  redis.call('ZADD', order, now + keepMs, member)
  redis.call('HSET', sizes, member, size)
  redis.call('HINCRBY', sizes, 'total', size)
  return 1
end
local stored = put()
if token ~= '' then endLead() end
return stored
