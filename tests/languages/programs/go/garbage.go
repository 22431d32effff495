package main

var last []byte

func main() {
	for n := 0; n < 2000; n++ {
		last = make([]byte, 1<<20)
		for i := range last {
			last[i] = 1
		}
	}
}
