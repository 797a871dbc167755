-- Corrects the count of a day.
-- KEYS and ARGV [1] to [4]: as in include/spending-count.lua
-- ARGV: [5] the day that is corrected, [6] requests and [7] nano-dollars to add (below 0: to subtract), [8] nano-dollars that the source stated
-- Returns {day, turn, requests, nano, spent}.
-- @include spending-count
if tonumber(ARGV[5]) == day then
  requests, nano, spent = math.max(0, requests + ARGV[6]), math.max(0, nano + ARGV[7]), spent + ARGV[8]
end
save()
return {day, turn, requests, nano, spent}
