-- GCRA by Redis' clock, as `gcra` in gateway/admission/rate-limits.ts, for several limits in order, up to the first that refuses. Stored with the
-- theoretical arrival time is the time of the call, so that a clock that was set back moves both.
-- KEYS: state of each limit: "arrival-time call-time"
-- ARGV: four for each limit: requests a second, burst, requests above the burst that are counted though refused, 1 where it is only read
-- Returns for each limit that was counted {1 if allowed else 0, requests left, ms until the limit is unused, ms to wait}.
-- @include now
local function take(key, rate, burst, overrun, read)
  local every = 1000 / rate
  local tolerance = every * burst
  local latest = now + tolerance + every * overrun
  local stored, at = string.match(redis.call('GET', key) or '', '^(%S+) ?(%S*)')
  stored = (tonumber(stored) or now) - math.max(0, (tonumber(at) or now) - now)
  local tat = math.min(math.max(stored, now), latest)
  local over = tat + every - tolerance - now
  local ok = over <= 0.01
  local counted = read ~= '1' and (ok or over <= every * overrun + 0.01)
  if counted then tat = tat + every end
  if counted or stored > latest then
    redis.call('SET', key, string.format('%.3f %.3f', tat, now), 'PX', math.ceil(tat - now) + 1)
  end
  local wait = tat + every - tolerance - now
  local remaining = math.max(0, math.floor((tolerance - (tat - now)) / every + 0.001))
  return ok, {ok and 1 or 0, remaining, string.format('%.3f', tat - now), string.format('%.3f', wait <= 0.01 and 0 or wait)}
end
local taken = {}
for i = 1, #KEYS do
  local ok, result = take(KEYS[i], ARGV[4 * i - 3], ARGV[4 * i - 2], ARGV[4 * i - 1], ARGV[4 * i])
  taken[i] = result
  if not ok then break end
end
return taken
