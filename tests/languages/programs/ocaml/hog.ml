let all = ref []
let () = while true do all := Bytes.make 1048576 'x' :: !all done
