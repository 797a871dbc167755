-- Counts one request against several limits in order, up to the first that refuses it. Stored is "arrival-time call-time", so that a clock that was
-- set back moves both.
-- Returns for each limit that was counted {1 if allowed else 0, requests left, ms until the limit is unused, ms to wait}.
-- @include now
-- @include gcra
local taken = {}
for i, row in ipairs(rows) do
  local stored, calledMs = string.match(redis.call('GET', row.key) or '', '^(%S+) ?(%S*)')
  stored = tonumber(stored)
  if stored then stored = stored - math.max(0, (tonumber(calledMs) or now) - now) end
  local step = gcra(stored, 1000 / row.rate, row.burst, row.overrun, now, row.read == 1)
  if step.isStored then
    redis.call('SET', row.key, string.format('%.3f %.3f', step.arrivalMs, now), 'PX', math.ceil(step.resetMs) + 1)
  end
  taken[i] = {step.ok and 1 or 0, step.remaining, string.format('%.3f', step.resetMs), string.format('%.3f', step.waitMs)}
  if not step.ok then break end
end
return taken
