-- Counts one request against the daily cap, if the cap allows it, and sets a reserve aside for the caller.
-- KEYS and ARGV [1] to [4]: as in include/spending-count.lua
-- ARGV: [5] cap in requests, [6] cap in nano-dollars, [7] cost of the request, [8] nano-dollars that the caller owes,
--       [9] the reserve is the remaining cap divided by this number (0: no reserve)
-- Returns {day, turn, requests, nano, spent, 1 if taken else 0, requests reserved, nano-dollars reserved}.
-- @include spending-count
local maxRequests, maxNano, cost, parts = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[9])
nano = nano + tonumber(ARGV[8])
local taken, reserve, reserveNano = 0, 0, 0
if requests < maxRequests and nano + cost <= maxNano then
  taken, requests, nano = 1, requests + 1, nano + cost
  if parts > 0 then reserve, reserveNano = math.floor((maxRequests - requests) / parts), math.floor((maxNano - nano) / parts) end
  if reserve < 1 or reserveNano < cost then reserve, reserveNano = 0, 0 end
  requests, nano = requests + reserve, nano + reserveNano
end
save()
return {day, turn, requests, nano, spent, taken, reserve, reserveNano}
