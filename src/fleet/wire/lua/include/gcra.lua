-- GCRA (generic cell rate algorithm), the same as in src/runtime/gcra.ts. Times are ms.
local EPSILON_MS = 0.01
local function waitMsOf(arrivalMs, everyMs, burst, nowMs, aheadMs)
  local waitMs = math.max(arrivalMs, nowMs) + aheadMs - (burst - 1) * everyMs - nowMs
  if waitMs <= EPSILON_MS then return 0 end
  return waitMs
end
local function arrivalAfter(arrivalMs, everyMs, nowMs) return math.max(arrivalMs, nowMs) + everyMs end
local function gcra(storedMs, everyMs, burst, overrun, nowMs, isRead)
  local latestMs = nowMs + everyMs * (burst + overrun)
  local beforeMs = math.min(math.max(storedMs or nowMs, nowMs), latestMs)
  local overMs = waitMsOf(beforeMs, everyMs, burst, nowMs, 0)
  local ok = overMs == 0
  local isCounted = not isRead and (ok or overMs <= everyMs * overrun + EPSILON_MS)
  local arrivalMs = isCounted and arrivalAfter(beforeMs, everyMs, nowMs) or beforeMs
  local remaining = math.max(0, math.floor((everyMs * burst - (arrivalMs - nowMs)) / everyMs + 0.001))
  local isStored = isCounted or (storedMs ~= nil and storedMs > latestMs)
  return {ok = ok, arrivalMs = arrivalMs, resetMs = arrivalMs - nowMs, waitMs = waitMsOf(arrivalMs, everyMs, burst, nowMs, 0),
    remaining = remaining, isStored = isStored}
end
