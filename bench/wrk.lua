-- BENCH_PATH: path of the requests; "#" becomes a number: 1, 2, 3 …, or with BENCH_RANGE at random below it. BENCH_PAUSE_MS: mean pause of a
-- connection between two requests. BENCH_KEYS: file of API keys, a line each, that are used in turn.
local pattern = os.getenv('BENCH_PATH') or '/'
local pause = tonumber(os.getenv('BENCH_PAUSE_MS') or '0')

local range = tonumber(os.getenv('BENCH_RANGE') or '0')
local keys = {}
if os.getenv('BENCH_KEYS') then
  for key in io.lines(os.getenv('BENCH_KEYS')) do keys[#keys + 1] = key end
end

local isNumbered = pattern:find('#', 1, true)
if isNumbered or #keys > 0 then
  local n = 0
  request = function()
    n = n + 1
    local number = range > 0 and math.random(0, range - 1) or n
    local headers = #keys > 0 and { ['X-API-Key'] = keys[n % #keys + 1] } or nil
    return wrk.format('GET', isNumbered and (pattern:gsub('#', number)) or pattern, headers)
  end
end

if pause > 0 then
  delay = function() return math.random(0, math.floor(2 * pause)) end
end

done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"perSecond":%.2f,"p50Ms":%.4f,"p99Ms":%.4f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.status, e.connect + e.read + e.write + e.timeout))
end
