using System;
class Echo { static void Main() { Console.Write(Console.In.ReadToEnd()); } }
