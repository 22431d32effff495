main :: IO ()
main = interact id
