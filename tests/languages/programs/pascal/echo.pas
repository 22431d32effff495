program Echo;
var c: char;
begin
  while not eof do begin
    read(c);
    write(c);
  end;
end.
