-- GCRA by Redis' clock, as `gcra` in gateway/admission/rate-limits.ts. Stored with the theoretical arrival time is the time of the call, so that
-- a clock that was set back moves both.
-- KEYS: [1] state: "arrival-time call-time"
-- ARGV: [1] requests a second, [2] burst, [3] requests above the burst that are counted though refused
-- Returns {1 if allowed else 0, requests left, ms until the limit is unused, ms to wait}.
-- @include now
local every = 1000 / ARGV[1]
local tolerance = every * ARGV[2]
local latest = now + tolerance + every * ARGV[3]
local stored, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) ?(%S*)')
stored = (tonumber(stored) or now) - math.max(0, (tonumber(at) or now) - now)
local tat = math.min(math.max(stored, now), latest)
local over = tat + every - tolerance - now
local ok = over <= 0.01
local counted = ok or over <= every * ARGV[3] + 0.01
if counted then tat = tat + every end
if counted or stored > latest then
  redis.call('SET', KEYS[1], string.format('%.3f %.3f', tat, now), 'PX', math.ceil(tat - now) + 1)
end
local wait = tat + every - tolerance - now
local remaining = math.max(0, math.floor((tolerance - (tat - now)) / every + 0.001))
return {ok and 1 or 0, remaining, string.format('%.3f', tat - now), string.format('%.3f', wait <= 0.01 and 0 or wait)}
