program Hog;
var p: pointer;
begin
  while true do begin
    GetMem(p, 1048576);
    FillChar(p^, 1048576, 1);
  end;
end.
