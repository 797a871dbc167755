-- Counts one request of `cost` nano-dollars against the daily cap, if the cap allows it, and sets a reserve aside for the caller: the remaining cap
-- divided by `reserveParts` (0: no reserve). `owedNano`: nano-dollars that the caller spent and did not count yet.
-- Returns {day, turn, requests, nano, spent, 1 if taken else 0, requests reserved, nano-dollars reserved}.
-- @include spending-count
nano = nano + owedNano
local taken, reserve, reserveNano = 0, 0, 0
if requests < maxRequests and nano + cost <= maxNano then
  taken, requests, nano = 1, requests + 1, nano + cost
  if reserveParts > 0 then
    reserve, reserveNano = math.floor((maxRequests - requests) / reserveParts), math.floor((maxNano - nano) / reserveParts)
  end
  if reserve < 1 or reserveNano < cost then reserve, reserveNano = 0, 0 end
  requests, nano = requests + reserve, nano + reserveNano
end
save()
return {day, turn, requests, nano, spent, taken, reserve, reserveNano}
