let () = try while true do print_char (input_char stdin) done with End_of_file -> ()
