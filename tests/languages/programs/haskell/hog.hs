main :: IO ()
main = do
  let xs = [1 ..] :: [Integer]
  print (length (takeWhile (> 0) xs))
  print (sum xs)
