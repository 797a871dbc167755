-- Reads an entry of the shared cache; without one that the lookup accepts claims the leadership of the lookup.
-- An entry is accepted if it was read at `readSince` or later and stays fresh until after `freshAfter`; one from the future was stored before
-- the clock was set back.
-- Returns {entry (false: none), verdict}; verdict 0: accepted, 1: claimed, 2: another gateway leads.
-- @include now
local cached = redis.call('GET', entry)
if cached then
  local at, freshUntil = string.match(cached, '^(%d+%.?%d*) (%d+%.?%d*)\n')
  at, freshUntil = tonumber(at), tonumber(freshUntil)
  -- one that is unreadable, or of another version, is not accepted
  if at and freshUntil and at >= readSince and at <= now + skewMs and freshUntil > now - staleMs + freshMs then return {cached, 0} end
end
local leader = redis.call('GET', lead)
if leader and leader ~= 'ended' then return {cached, 2} end
redis.call('SET', lead, token, 'PX', leadMs)
return {cached, 1}
