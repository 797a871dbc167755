-- Leaves the queue of a lane.
-- @include drop-ticket
drop(ticket)
