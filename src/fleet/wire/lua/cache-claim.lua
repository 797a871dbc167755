-- Reads an entry of the shared cache; without a fresh one claims the leadership of its lookup.
-- KEYS: [1] entry, [2] leader, as in lead-claim.lua
-- ARGV: [1] token of the caller, [2] ms until the leadership expires
-- Returns {entry (false: none), 1 if claimed else 0}.
-- @include now
local entry = redis.call('GET', KEYS[1])
if entry then
  -- the first line of an entry is JSON (cache-codec.ts); an unreadable one is not fresh
  local readable, head = pcall(cjson.decode, string.match(entry, '^[^\n]*'))
  if readable and type(head) == 'table' and (tonumber(head.at) or 0) + (tonumber(head.freshForMs) or 0) > now then return {entry, 0} end
end
local leader = redis.call('GET', KEYS[2])
if leader and leader ~= 'ended' then return {entry, 0} end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return {entry, 1}
