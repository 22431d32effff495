if x then (
