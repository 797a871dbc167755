-- Corrects the count of a day by requests and nano-dollars to add (below 0: to subtract), and nano-dollars that the source stated.
-- Returns {day, turn, requests, nano, spent}.
-- @include spending-count
if onDay == day then
  requests, nano, spent = math.max(0, requests + moreRequests), math.max(0, nano + moreNano), spent + statedNano
end
save()
return {day, turn, requests, nano, spent}
