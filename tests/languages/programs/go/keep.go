package main

import "fmt"

func main() {
	var all [][]byte
	for n := 0; n < 32; n++ {
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 1
		}
		all = append(all, block)
	}
	fmt.Println(len(all))
}
