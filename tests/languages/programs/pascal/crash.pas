program Crash;
var zero: longint;
begin
  zero := 0;
  WriteLn(1 div zero);
end.
