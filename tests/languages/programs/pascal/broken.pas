program Broken;
begin
  WriteLn(x;
end.
