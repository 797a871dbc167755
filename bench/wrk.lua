-- BENCH_PATH: path of the requests; "#" becomes a number. BENCH_PAUSE_MS: mean pause of a connection between two requests.
local pattern = os.getenv('BENCH_PATH') or '/'
local pause = tonumber(os.getenv('BENCH_PAUSE_MS') or '0')

if pattern:find('#', 1, true) then
  local n = 0
  request = function()
    n = n + 1
    return wrk.format('GET', (pattern:gsub('#', n)))
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
