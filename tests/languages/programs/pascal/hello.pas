program Hello;
begin
  WriteLn('Hello, World!');
end.
