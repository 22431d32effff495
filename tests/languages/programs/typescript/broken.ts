const count: number = "text";
